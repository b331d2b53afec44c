export interface Opened {
  title: string
  value: unknown
}
