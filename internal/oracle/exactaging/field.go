package exactaging

import (
	"math/big"
)

// Field is the arithmetic that a System works in. Values are never changed once made.
type Field[E any] interface {
	Of(x float64) E // exact
	Add(a, b E) E
	Sub(a, b E) E
	Mul(a, b E) E
	Quo(a, b E) E
	Cmp(a, b E) int
	Float64(a E) float64 // nearest
}

// Rat is exact arithmetic. The operands grow with the length of the history.
type Rat struct{}

func (Rat) Of(x float64) *big.Rat            { return new(big.Rat).SetFloat64(x) }
func (Rat) Add(a, b *big.Rat) *big.Rat       { return new(big.Rat).Add(a, b) }
func (Rat) Sub(a, b *big.Rat) *big.Rat       { return new(big.Rat).Sub(a, b) }
func (Rat) Mul(a, b *big.Rat) *big.Rat       { return new(big.Rat).Mul(a, b) }
func (Rat) Quo(a, b *big.Rat) *big.Rat       { return new(big.Rat).Quo(a, b) }
func (Rat) Cmp(a, b *big.Rat) int            { return a.Cmp(b) }
func (Rat) Float64(a *big.Rat) float64       { x, _ := a.Float64(); return x }
func (Float) Of(x float64) *big.Float        { return newFloat().SetFloat64(x) }
func (Float) Add(a, b *big.Float) *big.Float { return newFloat().Add(a, b) }
func (Float) Sub(a, b *big.Float) *big.Float { return newFloat().Sub(a, b) }
func (Float) Mul(a, b *big.Float) *big.Float { return newFloat().Mul(a, b) }
func (Float) Quo(a, b *big.Float) *big.Float { return newFloat().Quo(a, b) }
func (Float) Cmp(a, b *big.Float) int        { return a.Cmp(b) }
func (Float) Float64(a *big.Float) float64   { x, _ := a.Float64(); return x }

// Float is arithmetic with 300 bits, about 90 digits: for histories too long for Rat.
type Float struct{}

func newFloat() *big.Float { return new(big.Float).SetPrec(300) }
