/** The notices of the data and software the store is built on. */
import { marked } from 'marked'
import { normalizeText } from '#platform/text-file.ts'

/** Read at build time so that the notices match the build. */
const notices = import.meta.glob<string>('/THIRD-PARTY-DATA.md', { query: '?raw', import: 'default', eager: true })

/** The notices as HTML, without their title, which the page has itself. The text is our own file, not visitor input. */
export async function noticesHtml(): Promise<string> {
  const text = normalizeText(Object.values(notices)[0] ?? '')
  return marked.parse(text.replace(/^# .*\n/, ''))
}
