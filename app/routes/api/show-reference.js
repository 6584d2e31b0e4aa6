/**
 * Replaces the list of operations with Scalar's reference. It is sent to the browser unbuilt, so it is plain
 * JavaScript. Everything in Scalar that would contact its makers' servers is off; the page's policy limits it to ours.
 */
/** @typedef {{ createApiReference(place: HTMLElement | null, configuration: object): void }} Scalar */
const host = /** @type {Window & { Scalar?: Scalar, __zod_globalConfig?: object }} */ (window)
/**
 * The ID isn't "api-reference" because Scalar would then add a second reference.
 * @type {HTMLElement | null}
 */
const holder = document.querySelector('#api-in-full')
/** @type {HTMLElement | null} */
const callList = document.querySelector('#api-list')
const { script = '', openapi } = holder?.dataset ?? {}

// A problem's type URL links to its error code. Scalar would otherwise treat the hash as one of its routes.
const linkedProblem = document.getElementById(location.hash.slice(1))?.closest('.api-problems > div')
if (linkedProblem) {
  linkedProblem.closest('details')?.setAttribute('open', '')
  history.replaceState(history.state, '', location.pathname)
}

// Its zod would test whether it may compile code, which the policy forbids and the browser logs.
host.__zod_globalConfig = { jitless: true }

// The privacy page lists everything stored in a browser, which does not include Scalar's settings.
const { setItem } = Storage.prototype
Storage.prototype.setItem = function (name, value) {
  if (!/^(scalar|colorMode)/.test(name)) setItem.call(this, name, value)
}

function draw() {
  host.Scalar?.createApiReference(holder, {
    url: openapi,
    onLoaded: () => {
      if (callList) callList.hidden = true
      linkedProblem?.scrollIntoView()
    },
    theme: 'none',
    withDefaultFonts: false,
    forceDarkModeState: 'light',
    hideDarkModeToggle: true,
    proxyUrl: '',
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'none',
    persistAuth: false,
  })
}

void import(script).then(draw)
