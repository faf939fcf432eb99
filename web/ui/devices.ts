/** Programs that tell their name in a User-Agent, the more special first: browsers name those they are like, too. */
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

/** What a User-Agent says to people; null where it is not one of a browser. */
export function deviceOf(userAgent: string): Device | null {
  const browser = first(BROWSERS, userAgent)
  const system = first(SYSTEMS, userAgent)
  return browser !== undefined && system !== undefined ? { browser, system } : null
}
