/**
 * Lets a search form answer while one types, in a page that ships no framework: a program of its own, built and named
 * by `import … from '#app/ui/live-filter.ts?worker&url'` and put into the page as a module script. The form carries
 * data-live-filter and a search field; what is searched carries its words in data-words and stands in a data-group,
 * which is hidden when it is empty. The form's status line says how many are left, in its own words.
 */
const form = document.querySelector('form[data-live-filter]')
const field = form?.querySelector<HTMLInputElement>('input[type=search]')
const statusLine = form?.querySelector<HTMLElement>('[role=status]')

if (field && statusLine) {
  field.addEventListener('input', () => show(field.value, statusLine))
  // A link to an entry that is filtered out ends the filtering.
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
  const { one, many, none } = status.dataset
  status.textContent = (count === 0 ? none : count === 1 ? one : many?.replace('{n}', String(count))) ?? ''
}
