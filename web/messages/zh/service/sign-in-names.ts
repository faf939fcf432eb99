const NAMES: Readonly<Record<string, string>> = { DingTalk: '钉钉', 'Feishu / Lark': '飞书 / Lark' }

/** A sign-in provider that has another brand in China; others are called what the service calls them. */
export const signInName = (name: string): string => NAMES[name] ?? name
