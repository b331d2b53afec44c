export interface ProductTypeTables {
  product_types: {
    name: string
    /** Changes with the definition. */
    version: string
    /** JSON: the part of the definition that searches need */
    summary: string
    updated_at: string
    /** JSON */
    definition: string
  }
}
