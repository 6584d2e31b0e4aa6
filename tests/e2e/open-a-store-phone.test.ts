import { testOpening } from './open-a-store.ts'

await testOpening(360)
