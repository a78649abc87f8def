package market

// settle charges u for the last interval and pays its income. It reports false where Credits cannot hold the budget.
func settle(u *User, o *Options) (charge, income Credits, ok bool) {
	elapsed := o.Elapsed
	if elapsed == 0 {
		elapsed = 1
	}
	held := 0.0 // slot-intervals to pay for
	for k, used := range u.Used {
		granted := float64(u.Granted[k]) * elapsed
		held += min(used, granted)
		if o.Charge == AllHeld {
			held += max(0, used-granted-float64(u.GrantedFree[k])*elapsed)
		}
	}
	charge, u.ChargeRest, ok = u.GrantedRate.times(held, u.ChargeRest)
	if worth := u.worth(o); !ok || charge > worth {
		charge, u.ChargeRest = max(worth, 0), 0
		if o.Exhaust == Skip {
			charge = 0
		}
	}
	u.Budget -= charge
	income, u.IncomeRest, ok = u.Income.times(elapsed, u.IncomeRest)
	if u.Ceiling > 0 && (!ok || income > u.Ceiling-min(u.Budget, u.Ceiling)) {
		// The room below the ceiling fits Credits but where the budget is a debt of half their range.
		if income, ok = u.Ceiling.Sub(min(u.Budget, u.Ceiling)); !ok {
			return 0, 0, false
		}
		u.IncomeRest = 0
	}
	if !ok {
		return 0, 0, false
	}
	u.Budget, ok = u.Budget.Add(income)
	return charge, income, ok
}
