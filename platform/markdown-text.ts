/** Plain text in Markdown. */
import { visibleText } from './plain-text.ts'

/** Escapes Markdown and HTML, and prevents URLs from becoming links, because a value is plain text. */
export function escapeMarkdown(text: string): string {
  return visibleText(text)
    .replace(/[&<>"'\\`*_{}[\]()#+!|~:@-]|(?<=www)\./gi, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll('\n', ' ')
}
