export interface SettingTables {
  settings: {
    name: string
    value: string
  }
}
