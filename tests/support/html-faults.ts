/** Validates a page against the HTML standard's rules for elements, attributes, and IDs. */
import { HtmlValidate, Rule, StaticConfigLoader, type DOMReadyEvent } from 'html-validate'

/** A script that the browser does not run has neither `async` nor `defer`. */
class InertScript extends Rule {
  override setup(): void {
    this.on('dom:ready', ({ document }: DOMReadyEvent) => {
      for (const script of document.querySelectorAll('script')) {
        const type = script.getAttributeValue('type') ?? 'module'
        const isRun = /^(module|text\/javascript|importmap|)$/.test(type)
        for (const name of ['async', 'defer'])
          if (!isRun && script.hasAttribute(name)) this.report(script, `<script type="${type}"> cannot have "${name}"`)
      }
    })
  }
}

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:standard'],
    plugins: [{ name: 'inert-script', rules: { 'inert-script': InertScript } }],
    rules: { 'input-attributes': 'error', 'inert-script': 'error' },
  }),
)

/** Returns a line per error with the rule, the message, and the location. */
export async function htmlFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector ?? ''})`),
  )
}
