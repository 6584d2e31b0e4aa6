/**
 * The store's own name and addresses in written texts, such as `{{storeName}}`. An owner can change them at any time,
 * but texts are rendered only once, so each text contains a placeholder that is replaced when its page is shown.
 */

type Store = { readonly name: string; readonly phone: string; readonly email: string; readonly address: string }

/** The placeholder for each value until then. Markdown doesn't change these characters. */
export const storeMarks = {
  storeName: '\u27e6storeName\u27e7',
  storePhone: '\u27e6storePhone\u27e7',
  storeEmail: '\u27e6storeEmail\u27e7',
  storeAddress: '\u27e6storeAddress\u27e7',
} as const

/** Replaces the marks in `text`; `escape` is for HTML. */
export function fillStore(text: string, store: Store, escape: (value: string) => string = (value) => value): string {
  const values: Record<string, string> = {
    storeName: store.name,
    storePhone: store.phone,
    storeEmail: store.email,
    storeAddress: store.address,
  }
  return text.replaceAll(/\u27e6(\w{1,20})\u27e7/g, (mark, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? mark : escape(value)
  })
}

/** Text in HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
