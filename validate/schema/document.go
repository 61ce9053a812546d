package schema

import (
	"hash/maphash"

	"github.com/trcx/trcx/trace"
)

// document validates a model that is one document.
type document struct {
	*checker
	documentIDs
}

func (c *checker) checkDocument() error {
	d := &document{checker: c, documentIDs: documentIDs{seed: maphash.MakeSeed()}}
	root, err := d.entire()
	if err != nil {
		return c.stopped(err)
	}
	err = d.judge(d.grammar.document.demands, root)
	d.end(root)
	return err
}

// entire reads the document up to the end of the input. Anything after it is an error.
func (d *document) entire() (value, error) {
	root, err := d.part(d.grammar.document)
	if err != nil {
		return root, err
	}
	d.Space()
	if _, more := d.Peek(); more {
		return root, d.Unexpected("the end")
	}
	return root, d.Err()
}

// part reads a part of the document in pieces and returns it without the items of its lists. It is unread if one of its
// known members is.
func (d *document) part(p *part) (value, error) {
	if d.Space() != '{' || len(p.lists)+len(p.objects) == 0 {
		return d.piece()
	}
	v := value{place: d.Place(), kind: object, members: map[string]value{}}
	err := d.members(nil, func(name string, at trace.Place) error {
		if p.known[name] == nil {
			_, err := d.value(nil)
			return err
		}
		if _, duplicate := v.members[name]; duplicate {
			d.duplicate(at)
		}
		member, err := d.member(p, name)
		v.members[name] = member
		if member.kind == unread {
			v.kind = unread
		}
		return err
	})
	return v, err
}

// member reads a known member of a part.
func (d *document) member(p *part, name string) (value, error) {
	if items := p.lists[name]; items != nil && d.Space() == '[' {
		return d.each(items)
	}
	if inner := p.objects[name]; inner != nil {
		return d.part(inner)
	}
	return d.piece()
}

// each reads and validates the items of a list. It returns an empty list.
func (d *document) each(p *part) (value, error) {
	v := value{place: d.Place(), kind: list}
	return v, d.items(func() error {
		item, err := d.part(p)
		if err != nil {
			return err
		}
		if err := d.judge(p.demands, item); err != nil {
			return err
		}
		if p.count(d, item); item.kind == unread {
			d.lost = true
		}
		return nil
	})
}
