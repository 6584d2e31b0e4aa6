/** The services of shops. Safe in the browser. */
import { otherServices, tireServices } from '#domain/installer-portal/shop-applications/shop-applications.ts'

/** Every service a shop may offer, by its key. */
export const shopServices: Readonly<Record<string, string>> = { ...tireServices, ...otherServices }

/** "Alignment, Brakes": services as people read them. */
export function servicesText(services: readonly string[]): string {
  return services.map((key) => shopServices[key] ?? key).join(', ')
}
