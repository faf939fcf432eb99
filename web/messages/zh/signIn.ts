import type { signIn as en } from '../en/signIn.ts'
import { signInName } from './service/sign-in-names.ts'

export const signIn: typeof en = {
  title: '登录',
  username: '用户名或电子邮箱',
  password: '密码',
  stay: '在此设备上保持登录',
  submit: '登录',
  passkey: '使用通行密钥登录',
  or: '或',
  with: (name) => `使用 ${signInName(name)} 登录`,
  forgot: '忘记密码？',
  register: '注册',
  haveInvitation: '我有邀请码',
  second: {
    title: '两步验证',
    totp: '验证器应用中的验证码',
    email: '邮件中的验证码',
    recovery: '恢复码',
    recoveryHelp: '设置两步验证时保存的十个恢复码之一，每个只能使用一次。',
    passkey: '使用通行密钥',
    send: '发送验证码',
    sendAgain: (seconds) => `${seconds} 秒后可重新发送`,
    sent: '验证码已发送。',
    submit: '继续',
    other: '其他方式',
    ways: { totp: '验证器应用', email: '电子邮件', passkey: '通行密钥', recovery: '恢复码' },
    triesLeft: (count) => `验证码错误，剩余次数：${count}`,
  },
  passkeyFailed: '未使用通行密钥。请重试，或选择其他登录方式。',
}
