/**
 * Stores unsent shop job forms on this device, and sends them in order once the connection is back. Each has an
 * idempotency key for the server. Forms refused by the server stay here until they are reviewed. Sent to the browser
 * unbuilt, so it is plain JavaScript; without it the forms are posted normally.
 */
/** @typedef {[string, FormDataEntryValue][]} Fields */
/** @typedef {{ id: number, url: string, fields: Fields, words: string, refusal: string | null }} Draft */

/** @returns {Promise<IDBDatabase>} */
function openStorage() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('sidewall-portal', 1)
    request.addEventListener('upgradeneeded', () =>
      request.result.createObjectStore('draft', { keyPath: 'id', autoIncrement: true }),
    )
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('no storage')))
  })
}

/**
 * Runs one request on the drafts' store, and waits until it is committed.
 * @template Result
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<Result>} run
 * @returns {Promise<Result>}
 */
async function withDrafts(mode, run) {
  const database = await openStorage()
  return new Promise((resolve, reject) => {
    const transaction = database.transaction('draft', mode)
    const request = run(transaction.objectStore('draft'))
    transaction.addEventListener('complete', () => {
      database.close()
      resolve(request.result)
    })
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('not stored')))
  })
}

/** @returns {Promise<Draft[]>} */
const all = () => withDrafts('readonly', (store) => /** @type {IDBRequest<Draft[]>} */ (store.getAll()))
/** @param {number} id */
const remove = (id) => withDrafts('readwrite', (store) => store.delete(id))

const isText = (/** @type {FormDataEntryValue} */ value) => typeof value === 'string'

/**
 * @param {string} url
 * @param {Fields} fields
 */
function post(url, fields) {
  const hasFile = fields.some(([, value]) => !isText(value))
  const body = hasFile ? new FormData() : new URLSearchParams()
  for (const [name, value] of fields) body.append(name, /** @type {string} */ (value))
  return fetch(url, { method: 'POST', body, headers: { accept: 'text/html' } })
}

const isSignIn = (/** @type {Response} */ answer) => new URL(answer.url).pathname === '/portal/sign-in'
const pageOf = async (/** @type {Response} */ answer) =>
  new DOMParser().parseFromString(await answer.text(), 'text/html')

/** Sends pending drafts, in order, from one tab at a time. */
async function sendWaiting() {
  await navigator.locks.request('sidewall-portal-drafts', { ifAvailable: true }, async (lock) => {
    if (!lock) return
    for (const draft of await all()) {
      if (draft.refusal !== null) continue
      const answer = await post(draft.url, draft.fields)
      if (isSignIn(answer) || answer.status >= 500 || answer.status === 429) break
      if (answer.ok) {
        await remove(draft.id)
        if (draft.url === location.pathname) showParts(await pageOf(answer))
      } else {
        const summary = (await pageOf(answer)).querySelector('.error-summary')
        const refusal = summary?.textContent?.trim() || 'This job or shop can no longer be changed.'
        await withDrafts('readwrite', (store) => store.put({ ...draft, refusal }))
      }
    }
  })
}

async function settle() {
  try {
    if (navigator.onLine && (await all()).some(({ refusal }) => refusal === null)) await sendWaiting()
  } catch {
    // Still offline, so pending drafts are retained.
  }
  await show()
}

/** The form of a sign-out pending confirmation. @type {HTMLFormElement | null} */
let leaving = null

/** Shows the number of pending drafts, and lists refused ones. */
async function show() {
  const drafts = await all()
  const waiting = drafts.filter(({ refusal }) => refusal === null).length
  let banner = document.querySelector('[data-drafts]')
  if (drafts.length === 0) return banner?.remove()
  if (!banner) {
    banner = document.createElement('section')
    banner.className = 'portal-news portal-drafts'
    banner.setAttribute('role', 'status')
    banner.setAttribute('data-drafts', '')
    document.querySelector('.wrap.portal')?.prepend(banner)
  }
  const parts = []
  if (waiting > 0) {
    const line = document.createElement('p')
    line.textContent = `Changes waiting on this device: ${waiting}. They are sent when the connection is back.`
    parts.push(line)
  }
  for (const draft of drafts.filter(({ refusal }) => refusal !== null)) {
    const line = document.createElement('p')
    const link = document.createElement('a')
    link.href = `${draft.url}#draft=${draft.id}`
    link.textContent = 'Open it'
    const drop = document.createElement('button')
    drop.type = 'button'
    drop.className = 'btn'
    drop.textContent = 'Discard'
    drop.addEventListener('click', () => void remove(draft.id).then(show))
    line.append(`Not saved: ${draft.words}. ${draft.refusal} `, link, ' ', drop)
    parts.push(line)
  }
  if (leaving) parts.push(discardLine(leaving, drafts.length))
  // Rerendered only on changes, so that unchanged content doesn't lose the focus.
  if (banner.innerHTML !== parts.map((part) => part.outerHTML).join('')) banner.replaceChildren(...parts)
}

/**
 * Returns what is stored or sent later, without a license plate to look up.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [button]
 */
const fieldsOf = (form, button = null) =>
  /** @type {Fields} */ (
    [...new FormData(form, button)].filter(
      ([name, value]) => !name.startsWith('lookup') && (typeof value === 'string' || value.size > 0),
    )
  )

/**
 * Replaces the page with the server's response, with focus on the message.
 * @param {Document} page
 */
function showAnswer(page) {
  const next = page.querySelector('.wrap.portal')
  if (!next) return
  document.querySelector('.wrap.portal')?.replaceWith(next)
  const summary = next.querySelector('.error-summary')
  if (summary instanceof HTMLElement) summary.focus()
}

/**
 * Replaces the parts of a page that are sent separately, so that entries elsewhere stay.
 * @param {Document} page
 */
function showParts(page) {
  for (const part of document.querySelectorAll('[data-part]')) {
    const next = page.getElementById(part.id)
    if (next) part.replaceWith(next)
  }
  document.dispatchEvent(new Event('parts-shown'))
}

/**
 * Stores a form, and prepares the page for the next one, with a new key, and for a change its future version number.
 * @param {HTMLFormElement} form
 * @param {Fields} fields
 */
async function keep(form, fields) {
  const value = (/** @type {string} */ name) => {
    const found = fields.find(([key]) => key === name)?.[1]
    return typeof found === 'string' ? found : ''
  }
  const words = [value('on'), value('at'), value('firstName') || value('vehicle') || value('note')]
  const title = document.querySelector('h1')?.textContent ?? ''
  const draft = { url: location.pathname, fields, words: words.filter(Boolean).join(' ') || title, refusal: null }
  await withDrafts('readwrite', (store) => store.add(draft))
  const input = (/** @type {string} */ name) => /** @type {HTMLInputElement | null} */ (form.elements.namedItem(name))
  const [key, revision] = [input('key'), input('revision')]
  // A second press must not enter the same job or photo again.
  if (revision?.value === '0' || fields.some((field) => !isText(field[1]))) form.reset()
  if (key) key.value = crypto.randomUUID()
  if (revision && revision.value !== '0') revision.value = String(Number(revision.value) + 1)
  await show()
  // The notice is above the form, whose button is at the bottom.
  document.querySelector('[data-drafts]')?.scrollIntoView()
}

let isSending = false
/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} button
 */
async function send(form, button) {
  const isPart = form.dataset.draft === 'part'
  if (isSending && !isPart) return
  isSending = true
  const fields = fieldsOf(form, isPart ? button : null)
  try {
    // Pending drafts go first, so that changes arrive in the order they were made.
    const mustWait = !navigator.onLine || (await all()).some(({ refusal }) => refusal === null)
    if (mustWait) return await keep(form, fields).then(settle)
    let answer
    try {
      answer = await post(location.pathname, fields)
    } catch {
      return await keep(form, fields)
    }
    if (answer.status >= 500 || isSignIn(answer)) return await keep(form, fields)
    await showOutcome(answer, isPart)
  } finally {
    isSending = false
  }
}

/**
 * @param {Response} answer
 * @param {boolean} isPart
 */
async function showOutcome(answer, isPart) {
  const opened = openedDraft()
  if (answer.ok && opened !== null) await remove(opened)
  if (answer.ok && !isPart) return location.assign(answer.url)
  const page = await pageOf(answer)
  if (isPart && (answer.ok || page.querySelector('[data-part] .field-error'))) showParts(page)
  else showAnswer(page)
  await show()
}

/** The work order's buttons whose entries can be sent later. Others, such as checking a code, need an answer. */
const laterIntents = ['save', 'vin-matches']

/**
 * Sends the work order as usual, or stores it while offline, or while earlier entries are pending.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} button
 */
async function sendOrStore(form, button) {
  const intent = button instanceof HTMLButtonElement ? button.value : ''
  const waiting = await all().catch(() => [])
  const mustWait = waiting.some(({ refusal, url }) => refusal === null && url === location.pathname)
  if (navigator.onLine && !mustWait) {
    const pressed = document.createElement('input')
    Object.assign(pressed, { type: 'hidden', name: 'intent', value: intent })
    form.append(pressed)
    return form.submit()
  }
  if (!laterIntents.includes(intent)) return showOffline(form)
  try {
    await keep(form, fieldsOf(form, button))
    await settle()
  } catch {
    showOffline(form)
  }
}

const openedDraft = () => {
  const found = /^#draft=(\d{1,12})$/.exec(location.hash)
  return found ? Number(found[1]) : null
}

/**
 * Removes customer data for the next user, and asks before discarding drafts.
 * @param {HTMLFormElement} form
 */
async function signOut(form) {
  const drafts = await all().catch(() => [])
  if (drafts.length === 0) return form.submit()
  leaving = form
  // The question is on the page, under the menu.
  form.closest('details')?.removeAttribute('open')
  await show()
  const discard = document.querySelector('[data-discard]')
  if (discard instanceof HTMLElement) discard.focus()
}

/**
 * @param {HTMLFormElement} form
 * @param {number} count
 */
function discardLine(form, count) {
  const line = document.createElement('p')
  const discard = document.createElement('button')
  discard.type = 'button'
  discard.className = 'btn'
  discard.dataset.discard = ''
  discard.textContent = 'Discard and sign out'
  discard.addEventListener(
    'click',
    () => void withDrafts('readwrite', (store) => store.clear()).then(() => form.submit()),
  )
  line.append(`Unsaved changes: ${count}. `, discard)
  return line
}

/**
 * Shows at a form that it wasn't sent.
 * @param {HTMLFormElement} form
 */
function showOffline(form) {
  const note = document.querySelector('[data-offline]') ?? document.createElement('p')
  note.className = 'field-error'
  note.setAttribute('role', 'alert')
  note.setAttribute('data-offline', '')
  note.textContent =
    'You’re offline, so this wasn’t sent. Your entries are still here. Try again when you’re back online.'
  form.append(note)
  note.scrollIntoView({ block: 'nearest' })
}

document.addEventListener('submit', (submit) => {
  const form = submit.target
  if (!(form instanceof HTMLFormElement)) return
  const isLeaving = new URL(form.action).pathname === '/portal/sign-out'
  if (!isLeaving && form.dataset.draft === undefined) {
    if (form.method !== 'post' || navigator.onLine) return
    // Otherwise the browser's error page would replace the entries.
    submit.preventDefault()
    return showOffline(form)
  }
  submit.preventDefault()
  const { submitter } = submit
  const isLookup = submitter instanceof HTMLButtonElement && submitter.value === 'plate'
  if (form.dataset.draft === 'offline' || isLookup) void sendOrStore(form, submitter)
  else void (isLeaving ? signOut(form) : send(form, submitter))
})
addEventListener('online', () => {
  document.querySelector('[data-offline]')?.remove()
  void settle()
})
addEventListener('hashchange', () => location.reload())
setInterval(() => void settle(), 5_000)

/** An opened refused draft is submitted again, which shows it in its form with the message. */
async function openOrSettle() {
  const id = openedDraft()
  const draft = id === null ? undefined : (await all()).find((each) => each.id === id)
  if (draft && draft.url === location.pathname) {
    const answer = await post(draft.url, draft.fields)
    if (answer.ok && !isSignIn(answer)) {
      await remove(draft.id)
      return location.assign(answer.url)
    }
    showAnswer(await pageOf(answer))
    return show()
  }
  await settle()
}
void openOrSettle().catch(() => show())
