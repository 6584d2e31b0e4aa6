/**
 * Submits a form without leaving the page, so that no input is lost without a connection. The form works without it. It
 * is sent to the browser unbuilt, so it is plain JavaScript. The form has data-send-form and, in data-failed, the
 * message for when there is no response; its file field may have data-max-bytes with data-too-large.
 */
const slowAfter = 250
const tooLongAfter = 30_000

const fault = "We're experiencing a technical problem. Please try again."
/** @type {Record<number, string | undefined>} */
const refusals = {
  403: 'The store did not take it from here.',
  413: 'It is too large.',
  429: 'Your form is too large.',
  503: 'The store is busy right now.',
}

/** @param {HTMLFormElement} form */
function begin(form) {
  /** @type {HTMLElement | null} */
  const status = form.querySelector('[data-send-status]')
  /** @type {HTMLButtonElement | null} */
  const button = form.querySelector('button[type=submit]')
  /** @type {HTMLInputElement | null} */
  const file = form.querySelector('input[type=file]')
  if (!status || !button) return
  const label = button.textContent
  let isSending = false

  /** @param {string} text */
  function say(text) {
    status.textContent = text
    status.hidden = text === ''
  }

  /** @param {string} why */
  function sayFailed(why) {
    say(`${form.dataset.failed}. ${why} What you wrote is still here.`)
  }

  file?.addEventListener('change', () => {
    const isTooLarge = Array.from(file.files ?? []).some(({ size }) => size > Number(file.dataset.maxBytes))
    say(isTooLarge ? (file.dataset.tooLarge ?? '') : '')
    if (isTooLarge) file.value = ''
  })

  async function send() {
    isSending = true
    say('')
    form.setAttribute('aria-busy', 'true')
    const slow = setTimeout(() => (button.textContent = 'Sending…'), slowAfter)
    try {
      const fields = new FormData(form)
      const answer = await fetch(form.action, {
        method: 'POST',
        signal: AbortSignal.timeout(tooLongAfter),
        body:
          form.enctype === 'multipart/form-data'
            ? fields
            : new URLSearchParams(
                Array.from(fields, ([name, value]) => [name, typeof value === 'string' ? value : '']),
              ),
      })
      if (answer.redirected) return location.assign(answer.url)
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      // A server error may return a different page, so this one stays, with its input and the selected file.
      if (page.querySelector('main form[data-send-form]')) return show(page)
      sayFailed(
        answer.status === 413 && file?.dataset.tooLarge ? file.dataset.tooLarge : (refusals[answer.status] ?? fault),
      )
    } catch (error) {
      if (error instanceof DOMException) sayFailed('The store takes too long to answer.')
      else sayFailed(navigator.onLine ? 'The store cannot be reached.' : 'You seem to be offline.')
    } finally {
      clearTimeout(slow)
      button.textContent = label
      form.removeAttribute('aria-busy')
      isSending = false
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!isSending) void send()
  })
}

/**
 * Shows the returned page, with the input, and a message for each field.
 * @param {Document} page
 */
function show(page) {
  const main = page.querySelector('main')
  if (!main) throw new Error('That is no page of the store.')
  document.querySelector('main')?.replaceWith(main)
  beginAll()
  /** @type {HTMLElement | null} */
  const summary = main.querySelector('.error-summary')
  summary?.focus()
  summary?.scrollIntoView({ block: 'center' })
}

function beginAll() {
  /** @type {NodeListOf<HTMLFormElement>} */
  const forms = document.querySelectorAll('form[data-send-form]')
  for (const form of forms) begin(form)
}

beginAll()
