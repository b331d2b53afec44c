export interface DevTables {
  settings: {
    name: string
    value: string
  }
}
