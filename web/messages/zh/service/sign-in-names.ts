const NAMES: Readonly<Record<string, string>> = { DingTalk: '钉钉', 'Feishu / Lark': '飞书 / Lark' }

/** Chinese brand name of an identity provider, else its own name. */
export const signInName = (name: string): string => NAMES[name] ?? name
