/** What the portal shows before a change of capacity is kept. */

/** The hidden fields of the form that keeps a change, in such a page. */
export function keptFields(html: string): Record<string, string> {
  const [, preview = ''] = html.split('Before you keep it')
  const [form = ''] = preview.split('</form>')
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
}
