const FALLBACK = 'en_US'

/** The locale to use where `asked` is wanted: itself, another of its language, English, or whichever there is. */
export function closestLocale(available: readonly string[], requested: string): string {
  const language = requested.slice(0, 2)
  return (
    available.find((locale) => locale === requested) ??
    available.find((locale) => locale.slice(0, 2) === language) ??
    available.find((locale) => locale === FALLBACK) ??
    available[0] ??
    FALLBACK
  )
}

export function textIn(texts: Readonly<Record<string, string>>, locale: string): string {
  return texts[locale] ?? texts[closestLocale(Object.keys(texts), locale)] ?? ''
}
