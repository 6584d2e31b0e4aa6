/**
 * The fields of the form with the button `intent` on a page, as a browser sends them unchanged. Selects are left out. Of
 * two fields with a name, the first one counts.
 */
export function formFields(html: string, intent: string): Record<string, string> {
  const form = html.split('<form').find((part) => part.split('</form>')[0]?.includes(` value="${intent}"`)) ?? ''
  const inputs = (form.split('</form>')[0] ?? '').matchAll(/<input [^>]*>/g)
  return Object.fromEntries(
    [...inputs].toReversed().flatMap(([input]) => {
      const name = / name="([^"]+)"/.exec(input)?.[1]
      const isOff = input.includes('type="checkbox"') && !input.includes('checked=')
      return name === undefined || isOff ? [] : [[name, / value="([^"]*)"/.exec(input)?.[1] ?? '']]
    }),
  )
}
