/**
 * A button next to each DOT code that reads it from a photo, on the work order. Sent to the browser unbuilt, so it is
 * plain JavaScript; the reader is loaded with the first photo. Without it the code is entered manually.
 */
/** @type {HTMLScriptElement | null} */
const cameraScript = document.querySelector('script[data-tin-reader]')
const cameraAddress = cameraScript?.dataset['tinReader']

/** @type {Worker | null} */
let cameraReader = null
/** The callback for the reading in progress, replaced by another photo. */
/** @type {((answer: { share?: number, tin?: string | null, failed?: string }) => void) | null} */
let cameraTold = null

const cameraWords = {
  reading: 'Reading the photo …',
  none: 'No DOT code was found. Hold the phone close and level, with light from the side, or type the code.',
  failed: 'That photo cannot be read. Take another one, or type the code.',
}

if (cameraAddress && 'Worker' in window && 'OffscreenCanvas' in window)
  for (const input of document.querySelectorAll('input[data-tin]'))
    if (input instanceof HTMLInputElement && !input.matches(':disabled')) addButton(input, cameraAddress)

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
  button.className = 'btn job-photo'
  button.textContent = 'Photo'
  button.setAttribute('aria-label', `Photo of ${input.dataset['tin']}, to read its code`)
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
    status.textContent = cameraWords.reading
    const answer = await askReader(photo, from, (share) => {
      status.textContent = `${cameraWords.reading} ${Math.round(share * 100)}%`
    })
    if (answer.failed !== undefined) status.textContent = cameraWords.failed
    else if (answer.tin === undefined) status.textContent = ''
    else if (answer.tin === null) status.textContent = cameraWords.none
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
  if (cameraTold) {
    cameraTold({})
    closeReader()
  }
  const worker = (cameraReader ??= openReader(from))
  return new Promise((resolve) => {
    cameraTold = (answer) => {
      if (answer.share !== undefined) return onProgress(answer.share)
      cameraTold = null
      if (answer.failed !== undefined) closeReader()
      resolve(answer)
    }
    worker.postMessage({ photo, engine: cameraScript?.dataset['engine'], day: cameraScript?.dataset['day'] }, [])
  })
}

/** @param {string} from */
function openReader(from) {
  const worker = new Worker(from)
  worker.addEventListener(
    'message',
    (/** @type {MessageEvent<{ share?: number, tin?: string | null, failed?: string }>} */ { data }) =>
      cameraTold?.(data),
  )
  worker.addEventListener('error', () => cameraTold?.({ failed: 'The reader did not start.' }))
  return worker
}

function closeReader() {
  cameraReader?.terminate()
  cameraReader = null
}
