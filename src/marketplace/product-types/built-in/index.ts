import type { ProductTypeDefinition } from '../definition.ts'
import { shirt, shoes } from './apparel.ts'
import { common, commonRequired } from './common.ts'
import { home, luggage } from './household.ts'

/** Built-in product types. The operator can add others and replace these. */
export const builtInTypes: readonly ProductTypeDefinition[] = [
  {
    name: 'SHOES',
    displayNames: { en_US: 'Shoes', de_DE: 'Schuhe' },
    searchTerms: {
      en_US: ['sneaker', 'boot', 'sandal', 'slipper', 'pump', 'loafer', 'trainer', 'heel', 'footwear'],
      de_DE: ['sneaker', 'stiefel', 'stiefelette', 'sandale', 'hausschuh', 'turnschuh', 'halbschuh', 'pumps'],
    },
    attributes: { ...common, ...shoes },
    required: commonRequired,
  },
  {
    name: 'SHIRT',
    displayNames: { en_US: 'Shirt', de_DE: 'Hemd' },
    searchTerms: {
      en_US: ['t-shirt', 'tee', 'blouse', 'polo', 'top', 'jersey'],
      de_DE: ['t-shirt', 'bluse', 'polo', 'oberteil', 'trikot'],
    },
    attributes: { ...common, ...shirt },
    required: commonRequired,
  },
  {
    name: 'LUGGAGE',
    displayNames: { en_US: 'Luggage', de_DE: 'Gepäck' },
    searchTerms: {
      en_US: ['suitcase', 'trolley', 'duffel', 'backpack', 'bag', 'carry-on'],
      de_DE: ['koffer', 'trolley', 'reisetasche', 'rucksack', 'handgepäck'],
    },
    attributes: { ...common, ...luggage },
    required: commonRequired,
  },
  {
    name: 'HOME',
    displayNames: { en_US: 'Home', de_DE: 'Haushalt' },
    searchTerms: {
      en_US: ['kitchen', 'decor', 'lamp', 'pillow', 'vase', 'furniture', 'household'],
      de_DE: ['küche', 'dekoration', 'lampe', 'kissen', 'vase', 'möbel', 'wohnen'],
    },
    attributes: { ...common, ...home },
    required: commonRequired,
  },
  // The wildcard for changes to products of any type: it has the attributes of all types and requires none.
  {
    name: 'PRODUCT',
    displayNames: { en_US: 'Any product', de_DE: 'Beliebiges Produkt' },
    attributes: { ...common, ...shoes, ...shirt, ...luggage, ...home },
  },
]
