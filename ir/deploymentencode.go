package ir

// This file writes what a program was made for.

func (w planWriter) identity(i *Identity) { w.object(w.stated(i.Fields())...) }

func (w planWriter) deployment(d *Deployment) {
	sections := append([]section{w.texted("family", d.Family)}, w.stated(d.Fields())...)
	w.object(append(sections,
		section{key: "devices", there: worth(w, d.Devices), tall: true, write: func() { row(w.writer, d.Devices, w.showID) }},
		listed(w, "libraries", worth(w, d.Libraries), d.Libraries, w.library),
		listed(w, "compatible", worth(w, d.Compatible), d.Compatible, w.compatibility),
	)...)
}

// stated makes sections of texts, each on a line of its own.
func (w planWriter) stated(fields []Stated) []section {
	var all []section
	for _, f := range fields {
		s := w.texted(f.Field, f.Text)
		s.tall = true
		all = append(all, s)
	}
	return all
}

func (w planWriter) library(l *Library) {
	w.entity(func() {
		w.field("name")
		w.text(l.Name)
		w.field("version")
		w.text(l.Version)
	})
}

func (w planWriter) compatibility(c *Compatibility) {
	w.entity(func() {
		w.field("library")
		w.text(c.Library)
		w.field("version")
		w.text(c.Version)
		w.field("abi")
		w.text(c.ABI)
	})
}

func (w planWriter) implementation(i *Implementation) {
	w.entity(func() {
		w.id("id", i.ID)
		w.field("namespace")
		w.text(i.Namespace)
		w.field("name")
		w.text(i.Name)
		w.optionalText("version", i.Version)
		w.optionalText("abi", i.ABI)
		w.optionalText("variant", i.Variant)
	})
}
