export interface ProductTypeTables {
  product_types: {
    name: string
    /** Changes with the definition. */
    version: string
    /** JSON: what a search needs of the definition */
    summary: string
    updated_at: string
    /** JSON */
    definition: string
  }
}
