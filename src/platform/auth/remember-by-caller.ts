import type { Caller } from './caller.ts'

/** Makes a text about each caller once. A caller is the same object for as long as its token is remembered. */
export function rememberByCaller(make: (caller: Caller) => string): (caller: Caller) => string {
  const texts = new WeakMap<Caller, string>()
  return (caller) => {
    let text = texts.get(caller)
    if (text === undefined) {
      text = make(caller)
      texts.set(caller, text)
    }
    return text
  }
}
