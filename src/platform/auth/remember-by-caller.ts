import type { Caller } from './caller.ts'

/** Makes a text about each caller once. A caller is the same object for as long as its token is remembered. */
export function rememberByCaller(make: (caller: Caller) => string): (caller: Caller) => string {
  // Made with the first text: a process may have hundreds of marketplaces, each with a hundred operations that are
  // never called.
  let texts: WeakMap<Caller, string> | undefined
  return (caller) => {
    texts ??= new WeakMap()
    let text = texts.get(caller)
    if (text === undefined) {
      text = make(caller)
      texts.set(caller, text)
    }
    return text
  }
}
