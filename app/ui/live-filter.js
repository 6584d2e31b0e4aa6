/**
 * Lets a search form in a page answer while one types, where the page ships no framework. It is sent as it stands, so it is plain JavaScript.
 * The form carries data-live-filter and a search field; what is searched carries its words in data-words and stands in a data-group, which is
 * hidden when it is empty. The form's status line says how many are left.
 */
const form = document.querySelector('form[data-live-filter]')
const field = form?.querySelector('input[type=search]')
const status = form?.querySelector('[role=status]')
const entries = [...document.querySelectorAll('[data-words]')]

function show() {
  const asked = field.value.trim().toLowerCase()
  const filled = new Set()
  let count = 0
  for (const entry of entries) {
    entry.hidden = !entry.dataset.words.includes(asked)
    if (entry.hidden) continue
    count++
    filled.add(entry.closest('[data-group]')?.dataset.group)
  }
  for (const group of document.querySelectorAll('[data-group]')) group.hidden = !filled.has(group.dataset.group)
  const { one, many, none } = status.dataset
  status.textContent = count === 0 ? none : count === 1 ? one : many.replace('{n}', String(count))
}

/** A link to an entry that is filtered out ends the filtering. */
function follow() {
  const target = document.getElementById(location.hash.slice(1))
  if (!target?.closest('[hidden]')) return
  field.value = ''
  show()
  target.scrollIntoView()
}

field?.addEventListener('input', show)
if (field) window.addEventListener('hashchange', follow)
