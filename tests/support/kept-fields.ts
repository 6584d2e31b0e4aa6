/** What the portal shows before a change of capacity is kept. */

/** Returns the hidden fields of the page's confirmation form. */
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
