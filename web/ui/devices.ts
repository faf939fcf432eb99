/** Programs named in a User-Agent, specific ones first, as browsers also name the ones they resemble. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bMicroMessenger\//, 'WeChat'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const first = (names: [RegExp, string][], text: string) => names.find(([sign]) => sign.test(text))?.[1]

export interface Device {
  browser: string
  system: string
}

/** Browser and system of a User-Agent; null if it isn't a browser's. */
export function deviceOf(userAgent: string): Device | null {
  const browser = first(BROWSERS, userAgent)
  const system = first(SYSTEMS, userAgent)
  return browser !== undefined && system !== undefined ? { browser, system } : null
}
