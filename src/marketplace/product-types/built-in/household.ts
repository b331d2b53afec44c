import { attribute, boolean, integer, localizedText, number, object, simple, text } from './fields.ts'

const DETAILS = 'product_details'

export const luggage = {
  number_of_wheels: simple(DETAILS, ['Number of wheels', 'Anzahl der Rollen'], integer(0, 100)),
  number_of_compartments: simple(DETAILS, ['Number of compartments', 'Anzahl der Fächer'], integer(0, 1000)),
  capacity: attribute(DETAILS, ['Capacity', 'Fassungsvermögen'], object({ unit: text(100), value: number() })),
  shell: attribute(DETAILS, ['Shell', 'Schale'], object({}, { type: text(200), material: text(200) })),
  wheel: attribute(DETAILS, ['Wheels', 'Rollen'], object({}, { type: text(200), material: text(200) })),
  lock_type: localizedText(DETAILS, ['Lock', 'Schloss'], { maxUnique: 5 }),
  is_expandable: simple(DETAILS, ['Expandable', 'Erweiterbar'], boolean()),
}

export const home = {
  room_type: localizedText(DETAILS, ['Room', 'Raum'], { maxUnique: 10 }),
  theme: localizedText(DETAILS, ['Theme', 'Motiv'], { maxUnique: 5 }),
  shape: localizedText(DETAILS, ['Shape', 'Form'], { maxUnique: 5 }),
  finish_type: localizedText(DETAILS, ['Finish', 'Oberfläche'], { maxUnique: 5 }),
  indoor_outdoor_usage: simple(DETAILS, ['Indoors or outdoors', 'Innen oder außen'], text(100), { maxUnique: 2 }),
  included_components: localizedText(DETAILS, ['Included components', 'Enthaltene Teile'], { maxUnique: 20 }),
  required_assembly: simple(DETAILS, ['Needs assembly', 'Montage nötig'], boolean()),
}
