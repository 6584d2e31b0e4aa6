/** The script of the partners' widget as it is sent, with what a page may check it by (SRI). */
import { createHash } from 'node:crypto'

const sources = import.meta.glob<string>('/widget/element.js', { query: '?raw', import: 'default', eager: true })
const [source = ''] = Object.values(sources)

export const widgetScript = {
  source,
  integrity: `sha384-${createHash('sha384').update(source).digest('base64')}`,
  /** In the address that never serves another one. */
  hash: createHash('sha256').update(source).digest('hex').slice(0, 16),
}
