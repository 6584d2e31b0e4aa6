/** Second factors that the sandbox's provider reports in the ID token. */
import { expect, test } from 'vitest'
import { startTestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createVisitor } from '#tests/support/visitor.ts'
import { isLanding, providerAt, request, signIn } from './oidc.testing.ts'

const [port = 0] = await freePorts(3)

test.for<[factor: string, used: boolean | null]>([
  ['password', false],
  ['code', true],
  ['code-as-acr', true],
  ['unreported', null],
])('a sign-in with the choice %s used a second factor: %s', async ([factor, used]) => {
  await using sandbox = await startTestSandbox(port)
  const provider = providerAt(sandbox)
  const visitor = createVisitor()
  const query = await signIn(provider, visitor, 'dana@example.com', 'sidewall-demo', factor)
  const reported = { ok: true, value: { usedSecondFactor: used } }
  expect(await provider.complete(query, request)).toMatchObject(reported)
  // The next sign-in continues the session at the provider, with the same factors.
  const begun = await provider.begin(request)
  const back = await visitor.follow(begun.ok ? begun.value : '', { stops: isLanding })
  expect(await provider.complete(back.url.searchParams, request)).toMatchObject(reported)
})
