/** How the shopper gets the tires. */
export type Fulfillment = 'shop' | 'mobile' | 'home' | 'carrier-pickup'

/** Whether the tires are mounted, at a shop or by a van: then an appointment belongs to them. */
export function isInstallation(fulfillment: Fulfillment | null): fulfillment is 'shop' | 'mobile' {
  return fulfillment === 'shop' || fulfillment === 'mobile'
}
