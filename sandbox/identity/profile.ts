import { Hono, type Context } from 'hono'
import type Provider from 'oidc-provider'
import { formFields } from '../body.ts'
import type { NodeBindings } from './interactions.ts'
import { noticePage, nothingTyped, passwordPage, profilePage } from './pages.ts'
import { shortestPassword, type People, type Person } from './people.ts'

/**
 * Edit-profile, change-password and the page a verification mail leads to. `redirect_uri` must be a page of the store.
 */
export function createProfile(
  provider: Provider,
  people: People,
  storeOrigin: string,
  announce: (person: Person) => Promise<void>,
): Hono<NodeBindings> {
  const app = new Hono<NodeBindings>()

  async function signedInPerson(c: Context<NodeBindings>): Promise<Person | undefined> {
    const session = await provider.Session.get(provider.createContext(c.env.incoming, c.env.outgoing))
    return session.accountId === undefined ? undefined : people.get(session.accountId)
  }

  const backOf = (c: Context) => {
    const asked = URL.parse(c.req.query('redirect_uri') ?? '')
    return asked?.origin === storeOrigin ? asked.href : `${storeOrigin}/account`
  }
  const queryOf = (c: Context) => new URL(c.req.url).search
  const strangers = (c: Context) =>
    c.html(
      noticePage('Sign in first', 'You are no longer signed in here.', {
        href: `${storeOrigin}/sign-in`,
        words: 'Sign in at the store',
      }),
      401,
    )

  app.get('/edit-profile', async (c) => {
    const person = await signedInPerson(c)
    return person
      ? c.html(profilePage(person, backOf(c), queryOf(c), { values: { name: person.name }, faults: {} }))
      : strangers(c)
  })
  app.post('/edit-profile', async (c) => {
    const person = await signedInPerson(c)
    if (!person) return strangers(c)
    const form = await formFields(c)
    if (form.get('intent') === 'verify') {
      await announce(person)
      return c.html(
        noticePage('Look into your mailbox', `A mail is on its way to ${person.email}.`, {
          href: backOf(c),
          words: 'Go back to the store',
        }),
      )
    }
    const name = form.get('name')?.trim().slice(0, 60) ?? ''
    if (name === '')
      return c.html(
        profilePage(person, backOf(c), queryOf(c), { values: { name }, faults: { name: 'Please write your name' } }),
        422,
      )
    people.rename(person, name)
    return c.redirect(backOf(c), 303)
  })

  app.get('/change-password', async (c) =>
    (await signedInPerson(c)) ? c.html(passwordPage(backOf(c), queryOf(c), nothingTyped)) : strangers(c),
  )
  app.post('/change-password', async (c) => {
    const person = await signedInPerson(c)
    if (!person) return strangers(c)
    const form = await formFields(c)
    const password = form.get('password') ?? ''
    const faults = await passwordFaults(people, person, { current: form.get('current') ?? '', password })
    if (Object.keys(faults).length > 0) return c.html(passwordPage(backOf(c), queryOf(c), { values: {}, faults }), 422)
    await people.changePassword(person, password)
    return c.redirect(backOf(c), 303)
  })

  app.get('/verify-email/:code', (c) => {
    const person = people.verify(c.req.param('code'))
    const way = { href: `${storeOrigin}/account`, words: 'To your account' }
    return person
      ? c.html(noticePage('Your email is verified', `${person.email} is yours.`, way))
      : c.html(
          noticePage('This link is not known', 'Ask for another mail on the page where you edit your profile.', way),
          404,
        )
  })
  return app
}

/** Errors by form field. People without a password need not enter the current one. */
async function passwordFaults(
  people: People,
  person: Person,
  { current, password }: { current: string; password: string },
): Promise<Record<string, string>> {
  const isRight = person.password === null || (await people.check(person.email, current)) !== undefined
  return {
    ...(!isRight && { current: 'This is not your password' }),
    ...(password.length < shortestPassword && { password: `Please choose ${shortestPassword} characters or more` }),
  }
}
