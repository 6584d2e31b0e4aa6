import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import type Provider from 'oidc-provider'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { z } from 'zod'
import { formFields } from '../body.ts'
import { consentPage, nothingTyped, registerPage, signInPage, type Reply } from './pages.ts'
import { reportOf, type FactorReport } from './factors.ts'
import { shortestPassword, type People, type Person } from './people.ts'

export type NodeBindings = { Bindings: HttpBindings }

/** Wrong passwords allowed per email; after that all are refused, right or wrong, until the window ends. */
const wrongAttempts = { points: 8, duration: 15 * 60 }

/**
 * The steps between authorize-client and the callback (sign in, register, or go back). Each is one form without
 * JavaScript.
 */
export function createInteractions(
  provider: Provider,
  people: People,
  { announce, oneTap }: { announce: (person: Person) => Promise<void>; oneTap: (code: string) => Person | undefined },
): Hono<NodeBindings> {
  const app = new Hono<NodeBindings>()
  const visit = visitsOf(provider)
  const { underWay, finish, signedIn } = visit

  app.get('/:uid', async (c) => {
    const interaction = await underWay(c)
    if (!interaction) return c.notFound()
    const { jwt_token: code, action } = interaction.params
    const person = typeof code === 'string' ? oneTap(code) : undefined
    if (person) return signedIn(c, person)
    if (interaction.prompt.name === 'consent')
      return c.redirect(`/identity/interaction/${interaction.uid}/consent`, 303)
    const isNew = interaction.prompt.name === 'create' || action === 'register'
    return c.redirect(`/identity/interaction/${interaction.uid}/${isNew ? 'register' : 'login'}`, 303)
  })
  addSignIn(app, visit, people)
  addRegistration(app, visit, people, announce)
  addConsent(app, visit, provider)
  app.post('/:uid/abort', async (c) => {
    if (!(await underWay(c))) return c.notFound()
    return finish(c, { error: 'access_denied', error_description: 'The visitor went back' })
  })
  return app
}

/** The authorization request a browser is working through, and the ways to continue it. */
function visitsOf(provider: Provider) {
  /** This browser's pending authorization request, if it is the one in the URL. */
  async function underWay(c: Context<NodeBindings>) {
    const { incoming, outgoing } = c.env
    const interaction = await provider.interactionDetails(incoming, outgoing)
    return interaction.uid === c.req.param('uid') ? interaction : undefined
  }

  async function finish(
    c: Context<NodeBindings>,
    result: Parameters<Provider['interactionResult']>[2],
    mergeWithLastSubmission = false,
  ): Promise<Response> {
    const { incoming, outgoing } = c.env
    return c.redirect(await provider.interactionResult(incoming, outgoing, result, { mergeWithLastSubmission }), 303)
  }

  /** `create` marks the registration prompt as done. */
  const signedIn = (c: Context<NodeBindings>, person: Person, report: FactorReport = reportOf(null)) =>
    finish(c, { login: { accountId: person.id, ...report }, create: {} })
  return { underWay, finish, signedIn }
}

type Visits = ReturnType<typeof visitsOf>

function addSignIn(app: Hono<NodeBindings>, { underWay, signedIn }: Visits, people: People): void {
  const attempts = new RateLimiterMemory(wrongAttempts)

  app.get('/:uid/login', async (c) => {
    const interaction = await underWay(c)
    return interaction ? c.html(signInPage(interaction.uid, nothingTyped, people.demo)) : c.notFound()
  })
  app.post('/:uid/login', async (c) => {
    const interaction = await underWay(c)
    if (!interaction) return c.notFound()
    const { uid } = interaction
    const form = await formFields(c)
    const email = form.get('email')?.trim() ?? ''
    const refuse = (problem: string, status: 422 | 429) =>
      c.html(signInPage(uid, { values: { email }, faults: {}, problem }, people.demo), status)
    // Counted before the password is checked, so that concurrent attempts are all counted.
    const isTooMuch = await attempts.consume(email.toLowerCase()).then(
      () => false,
      () => true,
    )
    if (isTooMuch) return refuse('Too many attempts for this email. Wait 15 minutes and try again.', 429)
    const person = await people.check(email, form.get('password') ?? '')
    if (!person) return refuse('Email and password do not match.', 422)
    await attempts.delete(email.toLowerCase())
    return signedIn(c, person, reportOf(form.get('factor') ?? null))
  })
}

function addRegistration(
  app: Hono<NodeBindings>,
  { underWay, signedIn }: Visits,
  people: People,
  announce: (person: Person) => Promise<void>,
): void {
  app.get('/:uid/register', async (c) => {
    const interaction = await underWay(c)
    return interaction ? c.html(registerPage(interaction.uid, nothingTyped)) : c.notFound()
  })
  app.post('/:uid/register', async (c) => {
    const interaction = await underWay(c)
    if (!interaction) return c.notFound()
    const form = await formFields(c)
    const values = { name: form.get('name')?.trim() ?? '', email: form.get('email')?.trim() ?? '' }
    const password = form.get('password') ?? ''
    const faults = faultsOf(values, password)
    const refuse = (reply: Omit<Reply, 'values'>) => c.html(registerPage(interaction.uid, { values, ...reply }), 422)
    if (Object.keys(faults).length > 0)
      return refuse({ faults, problem: 'Something is missing or not right. See below.' })
    const person = await people.add({ ...values, password, isEmailVerified: false })
    if (!person) return refuse({ faults: { email: 'There is an account with this email. Sign in instead.' } })
    await announce(person)
    return signedIn(c, person)
  })
}

/** Consent for apps other than the store. */
function addConsent(app: Hono<NodeBindings>, { underWay, finish }: Visits, provider: Provider): void {
  app.get('/:uid/consent', async (c) => {
    const interaction = await underWay(c)
    if (!interaction) return c.notFound()
    const client = await provider.Client.find(String(interaction.params['client_id']))
    return c.html(consentPage(interaction.uid, client?.clientName ?? 'A program', wantedOf(interaction).apiScopes))
  })
  app.post('/:uid/consent', async (c) => {
    const interaction = await underWay(c)
    const accountId = interaction?.session?.accountId
    if (!interaction || accountId === undefined || interaction.prompt.name !== 'consent') return c.notFound()
    const known = interaction.grantId === undefined ? undefined : await provider.Grant.find(interaction.grantId)
    const grant = known ?? new provider.Grant({ accountId, clientId: String(interaction.params['client_id']) })
    const wanted = wantedOf(interaction)
    if (wanted.scopes.length > 0) grant.addOIDCScope(wanted.scopes.join(' '))
    for (const [resource, scopes] of wanted.resources) grant.addResourceScope(resource, scopes.join(' '))
    return finish(c, { consent: { grantId: await grant.save() } }, true)
  })
}

const wantedSchema = z.object({
  missingOIDCScope: z.array(z.string()).default([]),
  missingResourceScopes: z.record(z.string(), z.array(z.string())).default({}),
})

/**
 * Returns the permissions that an app requests and the user hasn't granted: OpenID Connect scopes, and scopes by
 * resource.
 */
function wantedOf({ prompt }: { prompt: { details: unknown } }) {
  const { missingOIDCScope, missingResourceScopes } = wantedSchema.parse(prompt.details)
  const resources = Object.entries(missingResourceScopes)
  return { scopes: missingOIDCScope, resources, apiScopes: resources.flatMap(([, scopes]) => scopes) }
}

function faultsOf({ name, email }: { name: string; email: string }, password: string): Record<string, string> {
  return {
    ...(name === '' && { name: 'Please write your name' }),
    ...(!/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(email) && { email: 'Please enter a valid email' }),
    ...(password.length < shortestPassword && { password: `Please choose ${shortestPassword} characters or more` }),
  }
}
