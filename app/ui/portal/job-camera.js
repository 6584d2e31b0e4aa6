/**
 * A button beside each DOT code that reads it from a photo, on the work order. Sent to the browser unbuilt, so it is plain
 * JavaScript; the reader is loaded with the first photo. Without it the code is typed.
 */
/** @type {HTMLScriptElement | null} */
const script = document.querySelector('script[data-tin-reader]')
const address = script?.dataset['tinReader']

/** @type {Worker | null} */
let reader = null
/** What hears of the reading that is under way; another photo takes its place. */
/** @type {((answer: { share?: number, tin?: string | null, failed?: string }) => void) | null} */
let told = null

const words = {
  reading: 'Reading the photo …',
  none: 'No DOT code was found. Hold the phone close and level, with light from the side, or type the code.',
  failed: 'That photo cannot be read. Take another one, or type the code.',
}

if (address && 'Worker' in window && 'OffscreenCanvas' in window)
  for (const input of document.querySelectorAll('input[data-tin]'))
    if (input instanceof HTMLInputElement && !input.matches(':disabled')) addButton(input, address)

/**
 * @param {HTMLInputElement} input
 * @param {string} from
 */
function addButton(input, from) {
  const [button, file, status] = [
    document.createElement('button'),
    document.createElement('input'),
    document.createElement('p'),
  ]
  button.type = 'button'
  button.className = 'btn wide job-photo'
  button.textContent = `Read ${input.dataset['tin']} from a photo`
  // Without a name it is never sent. No `capture`: phones then offer the camera and the photos.
  file.type = 'file'
  file.accept = 'image/*'
  file.hidden = true
  status.className = 'small'
  status.setAttribute('role', 'status')
  button.addEventListener('click', () => file.click())
  file.addEventListener('change', () => {
    const [photo] = file.files ?? []
    if (photo) void read(photo)
    file.value = ''
  })
  input.closest('.field-row')?.append(button, file, status)

  /** @param {File} photo */
  async function read(photo) {
    status.textContent = words.reading
    const answer = await askReader(photo, from, (share) => {
      status.textContent = `${words.reading} ${Math.round(share * 100)}%`
    })
    if (answer.failed !== undefined) status.textContent = words.failed
    else if (answer.tin === undefined) status.textContent = ''
    else if (answer.tin === null) status.textContent = words.none
    else {
      input.value = answer.tin
      input.dispatchEvent(new Event('input', { bubbles: true }))
      status.textContent = `Read ${answer.tin}. Compare it with the tire.`
    }
  }
}

/**
 * @param {File} photo
 * @param {string} from
 * @param {(share: number) => void} onProgress
 * @returns {Promise<{ share?: number, tin?: string | null, failed?: string }>}
 */
function askReader(photo, from, onProgress) {
  // A reading that is under way is ended with its worker.
  if (told) {
    told({})
    closeReader()
  }
  const worker = (reader ??= openReader(from))
  return new Promise((resolve) => {
    told = (answer) => {
      if (answer.share !== undefined) return onProgress(answer.share)
      told = null
      if (answer.failed !== undefined) closeReader()
      resolve(answer)
    }
    worker.postMessage({ photo, engine: script?.dataset['engine'], day: script?.dataset['day'] }, [])
  })
}

/** @param {string} from */
function openReader(from) {
  const worker = new Worker(from)
  worker.addEventListener(
    'message',
    (/** @type {MessageEvent<{ share?: number, tin?: string | null, failed?: string }>} */ { data }) => told?.(data),
  )
  worker.addEventListener('error', () => told?.({ failed: 'The reader did not start.' }))
  return worker
}

function closeReader() {
  reader?.terminate()
  reader = null
}
