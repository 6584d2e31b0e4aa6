/** The form of a quote's draft, sent as a browser without script does. */
import type { Visitor } from './visitor.ts'

export function quoteFormOf(store: () => { origin: string }) {
  /** The fields of the page's form as a browser would send them, changed by `change`. */
  async function fieldsOf(
    who: Visitor,
    path: string,
    change: Record<string, string> = {},
  ): Promise<Record<string, string>> {
    const html = await (await who.ask(`${store().origin}${path}`)).text()
    const form = /<form[^>]*id="draft"[\s\S]*?<\/form>/.exec(html)?.[0] ?? html
    const fields: Record<string, string> = {}
    for (const [input] of form.matchAll(/<input[^>]*>/g)) {
      const read = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1]
      const isOff = /type="(?:checkbox|radio)"/.test(input) && !/\bchecked\b/.test(input)
      const name = read('name')
      if (name !== undefined && !isOff) fields[name] = read('value') ?? ''
    }
    for (const [, name = '', options = ''] of form.matchAll(/<select[^>]*name="([^"]+)"[^>]*>([\s\S]*?)<\/select>/g))
      fields[name] =
        (/value="([^"]*)"[^>]*selected|selected[^>]*value="([^"]*)"/.exec(options) ?? []).slice(1).find(Boolean) ?? ''
    for (const [, name = '', text = ''] of form.matchAll(/<textarea[^>]*name="([^"]+)"[^>]*>([\s\S]*?)<\/textarea>/g))
      fields[name] = text
    return { ...fields, ...change }
  }

  async function press(who: Visitor, path: string, intent: string, change: Record<string, string> = {}) {
    return who.ask(`${store().origin}${path}`, { form: { ...(await fieldsOf(who, path, change)), intent } })
  }

  return { fieldsOf, press }
}
