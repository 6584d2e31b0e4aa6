/** The notices of the data and software the store is built on. */
import { marked } from 'marked'

/** Read when the store is built, so that what is shown is what was shipped. */
const notices = import.meta.glob<string>('/THIRD-PARTY-DATA.md', { query: '?raw', import: 'default', eager: true })

/** The notices as HTML, without the title the page has itself. The text is our own file, not a visitor's. */
export async function noticesHtml(): Promise<string> {
  const text = Object.values(notices)[0] ?? ''
  return marked.parse(text.replace(/^# .*\n/, ''))
}
