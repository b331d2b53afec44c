import type { ProductType, Violation } from '../../../marketplace/product-types/index.ts'

export const SEVERITIES = ['ERROR', 'WARNING', 'INFO'] as const
export type Severity = (typeof SEVERITIES)[number]

export const ENFORCEMENT_ACTIONS = [
  'LISTING_SUPPRESSED',
  'ATTRIBUTE_SUPPRESSED',
  'CATALOG_ITEM_REMOVED',
  'SEARCH_SUPPRESSED',
] as const
export type EnforcementAction = (typeof ENFORCEMENT_ACTIONS)[number]

type Locale = 'en_US' | 'de_DE'

interface IssueDefinition {
  code: string
  severity: Severity
  category: string
  action?: EnforcementAction
  messages: Record<Locale, string>
}

/** In the messages, {attribute} is the title of the attribute, {place} the path within it, {limit} the expected value. */
const issueDefinitions = {
  required: {
    code: '90220',
    severity: 'ERROR',
    category: 'MISSING_ATTRIBUTE',
    messages: {
      en_US: "'{attribute}' is required but was not given.",
      de_DE: '„{attribute}“ ist erforderlich, wurde aber nicht angegeben.',
    },
  },
  tooFew: {
    code: '99022',
    severity: 'ERROR',
    category: 'INVALID_ATTRIBUTE',
    messages: {
      en_US: "'{attribute}' has too few values at {place}: at least {limit} is needed.",
      de_DE: '„{attribute}“ hat bei {place} zu wenige Werte: mindestens {limit} ist nötig.',
    },
  },
  belowMinimum: {
    code: '90004114',
    severity: 'ERROR',
    category: 'INVALID_ATTRIBUTE',
    messages: {
      en_US: "'{attribute}' is too small at {place}: the smallest value is {limit}.",
      de_DE: '„{attribute}“ ist bei {place} zu klein: der kleinste Wert ist {limit}.',
    },
  },
  aboveMaximum: {
    code: '90000900',
    severity: 'ERROR',
    category: 'INVALID_ATTRIBUTE',
    messages: {
      en_US: "'{attribute}' is too large or too long at {place}: the limit is {limit}.",
      de_DE: '„{attribute}“ ist bei {place} zu groß oder zu lang: die Grenze ist {limit}.',
    },
  },
  invalid: {
    code: '90000900',
    severity: 'ERROR',
    category: 'INVALID_ATTRIBUTE',
    messages: {
      en_US: "'{attribute}' is not valid at {place}: {limit}.",
      de_DE: '„{attribute}“ ist bei {place} ungültig: {limit}.',
    },
  },
  unknown: {
    code: '90000900',
    severity: 'ERROR',
    category: 'INVALID_ATTRIBUTE',
    messages: {
      en_US: "The product type has no attribute '{attribute}'.",
      de_DE: 'Der Produkttyp hat kein Attribut „{attribute}“.',
    },
  },
  foreignMarketplace: {
    code: '90000900',
    severity: 'ERROR',
    category: 'INVALID_ATTRIBUTE',
    messages: {
      en_US: "'{attribute}' refers to a marketplace at {place} that is not part of the request: {limit}.",
      de_DE: '„{attribute}“ nennt bei {place} einen Marktplatz, für den die Anfrage nicht gilt: {limit}.',
    },
  },
  unknownSku: {
    code: '13013',
    severity: 'ERROR',
    category: 'INVALID_ATTRIBUTE',
    messages: {
      en_US: 'This SKU is not in the catalog of your account and cannot be updated. Create the listing first.',
      de_DE:
        'Diese SKU ist in Ihrem Konto nicht bekannt und kann nicht geändert werden. Legen Sie das Angebot zuerst an.',
    },
  },
  noMatch: {
    code: '8541',
    severity: 'ERROR',
    category: 'INVALID_ATTRIBUTE',
    action: 'LISTING_SUPPRESSED',
    messages: {
      en_US: 'An offer-only listing requires a catalog product, and no product matches the given ASIN or identifier.',
      de_DE: 'Ein reines Angebot braucht ein Produkt des Katalogs, und keines passt zur angegebenen ASIN oder Kennung.',
    },
  },
  conflictingMatch: {
    code: '8541',
    severity: 'ERROR',
    category: 'DUPLICATE',
    action: 'LISTING_SUPPRESSED',
    messages: {
      en_US: 'The ASIN and the identifier that were given belong to different products.',
      de_DE: 'Die angegebene ASIN und die Kennung gehören zu verschiedenen Produkten.',
    },
  },
  badImage: {
    code: '18027',
    severity: 'WARNING',
    category: 'INVALID_IMAGE',
    action: 'ATTRIBUTE_SUPPRESSED',
    messages: {
      en_US: "The image of '{attribute}' cannot be used: {limit}.",
      de_DE: 'Das Bild von „{attribute}“ kann nicht verwendet werden: {limit}.',
    },
  },
  noMainImage: {
    code: '18027',
    severity: 'WARNING',
    category: 'MISSING_IMAGE',
    action: 'SEARCH_SUPPRESSED',
    messages: {
      en_US: 'The listing has no main image, so it does not appear in search.',
      de_DE: 'Das Angebot hat kein Hauptbild und wird deshalb in Suchen nicht gefunden.',
    },
  },
  noPrice: {
    code: '90220',
    severity: 'WARNING',
    category: 'MISSING_PRICE',
    messages: {
      en_US: 'The listing has no price, so it cannot be bought.',
      de_DE: 'Das Angebot hat keinen Preis und kann deshalb nicht gekauft werden.',
    },
  },
  priceOutOfBounds: {
    code: '90004114',
    severity: 'ERROR',
    category: 'INVALID_PRICE',
    action: 'LISTING_SUPPRESSED',
    messages: {
      en_US: 'The price is outside the minimum and maximum that you allow: {limit}.',
      de_DE: 'Der Preis liegt außerhalb des von Ihnen erlaubten Bereichs: {limit}.',
    },
  },
  wrongCurrency: {
    code: '90000900',
    severity: 'ERROR',
    category: 'INVALID_PRICE',
    action: 'LISTING_SUPPRESSED',
    messages: {
      en_US: 'The price is not in the currency of the marketplace: {limit}.',
      de_DE: 'Der Preis ist nicht in der Währung des Marktplatzes angegeben: {limit}.',
    },
  },
  restricted: {
    code: '18448',
    severity: 'ERROR',
    category: 'QUALIFICATION_REQUIRED',
    action: 'LISTING_SUPPRESSED',
    messages: {
      en_US: 'You need approval to sell this product in this condition.',
      de_DE: 'Für den Verkauf dieses Produkts in diesem Zustand brauchen Sie eine Genehmigung.',
    },
  },
} satisfies Record<string, IssueDefinition>

export type IssueKind = keyof typeof issueDefinitions

export const isIssueKind = (kind: string): kind is IssueKind => Object.hasOwn(issueDefinitions, kind)

/** An issue as stored: its message is rendered when it is read, in the locale of the reader. */
export interface Issue {
  kind: IssueKind
  attribute?: string
  place?: string
  limit?: string
}

export interface IssueView {
  code: string
  message: string
  severity: Severity
  attributeNames?: string[]
  categories: string[]
  enforcements?: { actions: { action: EnforcementAction }[]; exemption: { status: 'NOT_EXEMPT' } }
  marketplaceIds?: string[]
}

const definitionOf = ({ kind }: Issue): IssueDefinition => issueDefinitions[kind]

export const severityOf = (issue: Issue): Severity => definitionOf(issue).severity
export const actionOf = (issue: Issue): EnforcementAction | undefined => definitionOf(issue).action
export const hasErrors = (issues: readonly Issue[]) => issues.some((issue) => severityOf(issue) === 'ERROR')

/** Removes duplicates: a request for several marketplaces finds the same issue in each. */
export function distinctIssues(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()]
}

export const fromViolation = ({ rule, attribute, path: place, limit }: Violation): Issue => ({
  kind: rule,
  attribute,
  place,
  ...(limit !== undefined && { limit }),
})

/** Messages exist in English and German. Other locales fall back to English. */
export function renderIssue(
  issue: Issue,
  { locale, productType, marketplaceIds }: { locale: string; productType: ProductType; marketplaceIds?: string[] },
): IssueView {
  const { code, severity, category, action, messages } = definitionOf(issue)
  const { attribute } = issue
  const template = messages[locale.startsWith('de') ? 'de_DE' : 'en_US']
  // An issue of the whole attribute has no path.
  const text = issue.place ? template : template.replace(/ (at|bei) \{place\}/, '')
  const message = text.replace(/\{(attribute|place|limit)\}/g, (_, name: 'attribute' | 'place' | 'limit') => {
    if (name === 'attribute') return attribute === undefined ? '' : productType.title(attribute, locale)
    return issue[name] ?? ''
  })
  return {
    code,
    message,
    severity,
    ...(attribute !== undefined && { attributeNames: [attribute] }),
    categories: [category],
    ...(action && { enforcements: { actions: [{ action }], exemption: { status: 'NOT_EXEMPT' } } }),
    ...(marketplaceIds && { marketplaceIds }),
  }
}
