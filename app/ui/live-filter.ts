/**
 * Filters a list while the shopper types, on a page that ships no framework. This is a separate script, built and
 * referenced by `import … from '#app/ui/live-filter.ts?worker&url'` and added to the page as a module script. The form
 * has data-live-filter and a search field; each searchable element has its words in data-words and is inside a
 * data-group, which is hidden when empty. The form's status line has the number of matches; data-noun is their noun,
 * and data-none is the text for zero.
 */
import { countOf } from '#platform/count-text.ts'

const form = document.querySelector('form[data-live-filter]')
const field = form?.querySelector<HTMLInputElement>('input[type=search]')
const statusLine = form?.querySelector<HTMLElement>('[role=status]')

if (field && statusLine) {
  field.addEventListener('input', () => show(field.value, statusLine))
  // A link to an entry that is filtered out clears the filter.
  window.addEventListener('hashchange', () => {
    const target = document.querySelector(`#${CSS.escape(location.hash.slice(1))}`)
    if (!target?.closest('[hidden]')) return
    field.value = ''
    show('', statusLine)
    target.scrollIntoView()
  })
}

function show(asked: string, status: HTMLElement): void {
  const words = asked.trim().toLowerCase()
  const filled = new Set<string | undefined>()
  let count = 0
  for (const entry of document.querySelectorAll<HTMLElement>('[data-words]')) {
    entry.hidden = !entry.dataset['words']?.includes(words)
    if (entry.hidden) continue
    count++
    filled.add(entry.closest<HTMLElement>('[data-group]')?.dataset['group'])
  }
  for (const group of document.querySelectorAll<HTMLElement>('[data-group]'))
    group.hidden = !filled.has(group.dataset['group'])
  const { noun = '', none = '' } = status.dataset
  status.textContent = count === 0 ? none : countOf(count, noun)
}
