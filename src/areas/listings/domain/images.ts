import type { Attributes } from './attributes.ts'
import type { Issue } from './issues.ts'

const MAIN = 'main_product_image_locator'
const FORMATS = /\.(jpe?g|png|gif|tiff?|webp)$/i

/** Checks the URLs of images without fetching them: souk dev works offline. */
export function checkImages(attributes: Attributes): Issue[] {
  const locators = Object.keys(attributes).filter(
    (name) => name.endsWith('_image_locator') || /_locator_\d+$/.test(name),
  )
  const issues = locators.flatMap((attribute): Issue[] => {
    const violation = (attributes[attribute] ?? [])
      .map(({ media_location }) => findImageViolation(String(media_location ?? '')))
      .find((found) => found !== undefined)
    return violation === undefined ? [] : [{ kind: 'badImage', attribute, limit: violation }]
  })
  const hasMain = locators.includes(MAIN) && !issues.some(({ attribute }) => attribute === MAIN)
  return hasMain ? issues : [...issues, { kind: 'noMainImage', attribute: MAIN }]
}

function findImageViolation(location: string): string | undefined {
  const url = URL.parse(location)
  return url ? findUrlViolation(url) : 'URL'
}

function findUrlViolation(url: URL): string | undefined {
  if (!['http:', 'https:', 's3:'].includes(url.protocol)) return 'http, https'
  return FORMATS.test(url.pathname) ? undefined : 'JPEG, PNG, GIF, TIFF'
}

/** Returns the URL of the main image if it is valid and public. */
export function publicImageOf(attributes: Attributes): string | undefined {
  const url = URL.parse(mainImageOf(attributes) ?? '')
  return url && findUrlViolation(url) === undefined && url.protocol !== 's3:' ? url.href : undefined
}

export function mainImageOf(attributes: Attributes): string | undefined {
  const location = attributes[MAIN]?.[0]?.media_location
  return typeof location === 'string' ? location : undefined
}
