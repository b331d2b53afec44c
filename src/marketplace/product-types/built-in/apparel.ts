import { lengthUnit } from './common.ts'
import {
  attribute,
  choice,
  localized,
  localizedText,
  nonEmptyList,
  number,
  object,
  simple,
  text,
  textOrNumber,
  values,
} from './fields.ts'

const DETAILS = 'product_details'
const material = object({ material: values(text(200)) })

const apparel = {
  department: localizedText(DETAILS, ['Department', 'Abteilung'], { maxUnique: 5 }),
  target_gender: simple(DETAILS, ['Target gender', 'Zielgeschlecht'], choice('female', 'male', 'unisex'), {
    maxUnique: 3,
  }),
  age_range_description: localizedText(DETAILS, ['Age range', 'Altersgruppe'], { maxUnique: 5 }),
  closure: attribute(DETAILS, ['Closure', 'Verschluss'], object({ type: values(text(200)) })),
}

export const shoes = {
  ...apparel,
  footwear_size: attribute(
    DETAILS,
    ['Shoe size', 'Schuhgröße'],
    localized(
      { size: textOrNumber() },
      {
        size_system: text(100),
        size_class: text(100),
        age_group: text(100),
        gender: text(100),
        width: text(100),
        to_size: textOrNumber(),
      },
    ),
  ),
  shoe_type: localizedText(DETAILS, ['Kind of shoe', 'Schuhart'], { maxUnique: 5 }),
  inner: attribute(DETAILS, ['Inner', 'Innenseite'], material),
  outer: attribute(DETAILS, ['Outer', 'Außenseite'], material),
  sole_material: localizedText(DETAILS, ['Sole material', 'Sohlenmaterial'], { maxUnique: 5 }),
  leather_type: localizedText(DETAILS, ['Leather', 'Lederart'], { maxUnique: 5 }),
  toe_style: localizedText(DETAILS, ['Toe style', 'Zehenform'], { maxUnique: 5 }),
  heel: attribute(
    DETAILS,
    ['Heel', 'Absatz'],
    object(
      {},
      { height: nonEmptyList(object({ decimal_value: number(), unit: lengthUnit })), type: values(text(200)) },
    ),
  ),
  height_map: localizedText(DETAILS, ['Height of the shaft', 'Schafthöhe'], { maxUnique: 5 }),
  shaft: attribute(
    DETAILS,
    ['Shaft', 'Schaft'],
    object({}, { height: nonEmptyList(object({ value: textOrNumber() }, { unit: lengthUnit })) }),
  ),
}

export const shirt = {
  ...apparel,
  shirt_size: attribute(
    DETAILS,
    ['Shirt size', 'Hemdgröße'],
    localized(
      { size: textOrNumber() },
      {
        size_system: text(100),
        size_class: text(100),
        body_type: text(100),
        height_type: text(100),
        to_size: textOrNumber(),
      },
    ),
  ),
  fabric_type: localizedText(DETAILS, ['Fabric', 'Stoff'], { maxUnique: 5 }),
  fit_type: localizedText(DETAILS, ['Fit', 'Passform'], { maxUnique: 5 }),
  neck: attribute(
    DETAILS,
    ['Neck', 'Kragen'],
    object({}, { neck_style: values(text(200)), collar_style: values(text(200)) }),
  ),
  sleeve: attribute(
    DETAILS,
    ['Sleeve', 'Ärmel'],
    object({}, { type: values(text(200)), length_description: values(text(200)) }),
  ),
}
