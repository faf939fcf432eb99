import icon from '../../icon.svg'

/** The sign of the product; its name stands beside it. */
export const Logo = () => <img src={icon} alt="" width={26} height={26} />
