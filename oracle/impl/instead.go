package impl

import (
	"reflect"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// Instead returns a function that gives rules what a value of a knob means in place of what the profile's own value
// means. The value may replace nothing, as the reference's. [Rules] must know the profile with either value.
func (k *Knob) Instead(p *pica.Profile, value int) func(r *oracle.Rules) {
	var own, other pica.Profile
	own.Storage, other.Storage = p.Storage, p.Storage
	k.Set(&own, k.Get(p))
	k.Set(&other, value)
	changed := *p
	k.Set(&changed, value)
	rules := func(p *pica.Profile) reflect.Value { // new ones: a machine needs rules of its own
		r, err := Rules(p)
		if err != nil {
			panic(err)
		}
		return reflect.ValueOf(r).Elem()
	}
	places := different(rules(&own), rules(&other))
	return func(r *oracle.Rules) {
		from := rules(&changed)
		for _, place := range places {
			at(reflect.ValueOf(r).Elem(), place).Set(at(from, place))
		}
	}
}

// different lists the places of two structs with other functions or values, as indices of fields and elements.
// Functions of the same code count as the same, whatever they have captured.
func different(a, b reflect.Value) (places [][]int) {
	within := func(n int, part func(v reflect.Value, i int) reflect.Value) {
		for i := range n {
			for _, place := range different(part(a, i), part(b, i)) {
				places = append(places, append([]int{i}, place...))
			}
		}
	}
	switch a.Kind() {
	case reflect.Struct:
		within(a.NumField(), reflect.Value.Field)
	case reflect.Array:
		within(a.Len(), reflect.Value.Index)
	case reflect.Func:
		if a.Pointer() != b.Pointer() {
			places = [][]int{nil}
		}
	default:
		if a.CanInterface() && !reflect.DeepEqual(a.Interface(), b.Interface()) {
			places = [][]int{nil}
		}
	}
	return places
}

// at returns a place of a struct.
func at(v reflect.Value, place []int) reflect.Value {
	for _, i := range place {
		if v.Kind() == reflect.Struct {
			v = v.Field(i)
		} else {
			v = v.Index(i)
		}
	}
	return v
}
