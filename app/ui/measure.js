/**
 * Sends the page's events to the operator's tag, after requesting consent if required. It is sent to the browser
 * unbuilt, so it is plain JavaScript; a store without a tag does not send it. The tag is loaded only once the visitor
 * may be measured.
 */
/** @typedef {{ name: string, once?: string, params: Record<string, unknown> }} Told */
/** @type {HTMLElement | null} */
const here = document.querySelector('script[data-tag]')
const { tag = '', tagId = '', ask, keepSeconds } = here?.dataset ?? {}
const serializedKey = 'sidewall_told'
const page = /** @type {Window & { dataLayer?: unknown[] }} */ (window)
const queue = (page.dataLayer ??= [])

function begin() {
  // The tag's protocol requires the browser's time; our code doesn't depend on it.
  gtag('js', new Date())
  gtag('config', tagId, { ...place(), allow_google_signals: false, allow_ad_personalization_signals: false })
  const loader = document.createElement('script')
  loader.async = true
  loader.src = `${tag}${tag.includes('?') ? '&' : '?'}id=${encodeURIComponent(tagId)}`
  document.head.append(loader)

  tellAll(document.querySelector('#measured')?.textContent)
  tellKept()
  // Events of an action that did not leave the page arrive with its response, in a cookie.
  if ('cookieStore' in window) window.cookieStore.addEventListener('change', tellKept)
  else setInterval(tellKept, 2_000)
  window.navigation?.addEventListener('navigatesuccess', () => gtag('set', place()))
}

/** Tags read the arguments object itself, not an array made from it. */
function gtag() {
  queue.push(arguments)
}

/** Without the query, which may contain keys of orders. */
function place() {
  return { page_location: location.origin + location.pathname, page_referrer: document.referrer.replace(/[?#].*/, '') }
}

/** @param {string | null | undefined} text */
function tellAll(text) {
  if (!text) return
  const events = /** @type {Told[]} */ (JSON.parse(text))
  for (const { name, once, params } of events) if (once === undefined || isNew(once)) gtag('event', name, params)
}

/** @param {string} once */
function isNew(once) {
  try {
    const told = /** @type {string[]} */ (JSON.parse(localStorage.getItem(serializedKey) ?? '[]'))
    if (told.includes(once)) return false
    localStorage.setItem(serializedKey, JSON.stringify([...told, once].slice(-50)))
  } catch {
    // A browser without storage sends it again.
  }
  return true
}

function tellKept() {
  const events = readCookie('sidewall_events')
  if (!events) return
  document.cookie = 'sidewall_events=; path=/; max-age=0'
  tellAll(events)
}

/** @param {string} name */
function readCookie(name) {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return found && decodeURIComponent(found.slice(name.length + 1))
}

async function asksHere() {
  try {
    const answer = /** @type {{ asks?: boolean }} */ (await (await fetch('/privacy-choices/asks')).json())
    return answer.asks !== false
  } catch {
    return true
  }
}

function question() {
  const box = document.createElement('section')
  box.className = 'consent'
  box.setAttribute('aria-label', 'Measuring visits')
  const words = document.createElement('p')
  const more = document.createElement('a')
  more.href = '/privacy-choices'
  more.textContent = 'Privacy choices'
  words.append(
    'May we count what you look at and put in your cart, to make the store better? It works the same if you say no. ',
    more,
  )
  box.append(words, answerButton('No, thanks', 'no', box), answerButton('Yes', 'yes', box))
  document.body.append(box)
}

/**
 * @param {string} label
 * @param {'yes' | 'no'} answer
 * @param {HTMLElement} box
 */
function answerButton(label, answer, box) {
  const button = document.createElement('button')
  button.className = 'btn quiet'
  button.textContent = label
  button.addEventListener('click', () => {
    document.cookie = `sidewall_consent=${answer}; path=/; max-age=${keepSeconds}; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`
    box.remove()
    document.querySelector('main')?.focus({ preventScroll: true })
    if (answer === 'yes') begin()
  })
  return button
}

function start() {
  // The server omits this script for such a browser; a cache in between may not tell them apart.
  if (!tag || navigator.globalPrivacyControl) return
  const choice = readCookie('sidewall_consent')
  if (choice === 'no') return
  if (choice === 'yes' || ask === 'nowhere') begin()
  // That page has its own consent form.
  else if (location.pathname === '/privacy-choices') return
  else if (ask === 'everywhere' || readCookie('sw_zip') === undefined) question()
  else void asksHere().then((asks) => (asks ? question() : begin()))
}

// A page that the browser renders before a click is measured once it is shown.
if (/** @type {Document & { prerendering?: boolean }} */ (document).prerendering)
  document.addEventListener('prerenderingchange', start, { once: true })
else start()
