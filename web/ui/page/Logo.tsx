import icon from '../../icon.svg'

/** Logo; the product name accompanies it. */
export const Logo = () => <img src={icon} alt="" width={26} height={26} />
