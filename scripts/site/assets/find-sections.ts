import MiniSearch from 'minisearch'

export interface SearchSection {
  /** The path of the page and the fragment of the heading. */
  id: string
  page: string
  heading: string
  text: string
}

const MAX_RESULTS = 12

/** Returns a function that finds sections with all words of a query, the best first. */
export function createSearch(sections: readonly SearchSection[]): (query: string) => SearchSection[] {
  const byId = new Map(sections.map((section) => [section.id, section]))
  const index = new MiniSearch<SearchSection>({
    fields: ['page', 'heading', 'text'],
    searchOptions: {
      boost: { page: 3, heading: 4 },
      combineWith: 'AND',
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
    },
  })
  index.addAll(sections)
  return (query) =>
    index
      .search(query)
      .slice(0, MAX_RESULTS)
      .map(({ id }) => byId.get(id) as SearchSection)
}
