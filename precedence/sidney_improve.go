package precedence

import "github.com/schedmath/schedmath/internal/u128"

// improve moves single jobs to their best places, forwards or back, until no move helps or no steps
// are left. A job takes along whatever must stay on its side: going forwards the predecessors that
// it meets, going back the successors. When jobs of work P and weight W together pass a job of work
// p and weight w forwards, that saves W p and costs P w. Costs are whole numbers, so every move is
// a gain and none is undone for ever.
func (b *sidneyBlock) improve(order []int, steps *int) {
	m := mover{sidneyBlock: b, order: order, met: make([]int, b.g.n), passed: make([]int, 0, b.g.n), taken: make([]int, 0, b.g.n)}
	still := 0 // jobs looked at since the last move
	for at := 0; still < len(order) && *steps > 0; at = (at + 1) % len(order) {
		back, gainBack := m.look(at, 1, steps)
		forth, gainForth := m.look(at, -1, steps)
		switch {
		case gainForth.IsZero() && gainBack.IsZero():
			still++
			continue
		case gainForth.Less(gainBack):
			m.move(at, back, 1)
		default:
			m.move(at, forth, -1)
		}
		still = 0
	}
}

type mover struct {
	*sidneyBlock
	order         []int
	met           []int // the round in which a job must be taken along if it is met
	round         int
	passed, taken []int
}

// take adds to what must be taken along.
func (m *mover) take(j, step int) {
	stop := m.g.Preds(j)
	if step > 0 {
		stop = m.g.Succs(j)
	}
	for _, k := range stop {
		m.met[k] = m.round
	}
}

// look follows the job in place at in steps of +1 or -1 and returns the place of the last job to
// pass and what that saves, 0 if nothing does.
func (m *mover) look(at, step int, steps *int) (to int, best u128.T) {
	m.round++
	j := m.order[at]
	m.take(j, step)
	work, weight := m.works[j], m.weights[j]
	var save, pay u128.T
	for k := at + step; k >= 0 && k < len(m.order); k += step {
		*steps--
		x := m.order[k]
		p, w := m.works[x], m.weights[x]
		if m.met[x] == m.round {
			m.take(x, step)
			work += p
			weight += w
			continue
		}
		save, pay = save.PlusProduct(p, weight), pay.PlusProduct(w, work)
		gain, loss := save, pay
		if step > 0 {
			gain, loss = pay, save
		}
		if loss.Less(gain) {
			if g := gain.Minus(loss); best.Less(g) {
				best, to = g, k
			}
		}
	}
	return to, best
}

// move does what look has found.
func (m *mover) move(at, to, step int) {
	m.round++
	m.passed, m.taken = m.passed[:0], append(m.taken[:0], m.order[at])
	m.take(m.order[at], step)
	for k := at + step; k != to+step; k += step {
		if x := m.order[k]; m.met[x] == m.round {
			m.take(x, step)
			m.taken = append(m.taken, x)
		} else {
			m.passed = append(m.passed, x)
		}
	}
	for _, side := range [2][]int{m.passed, m.taken} {
		for _, x := range side {
			m.order[at] = x
			at += step
		}
	}
}
