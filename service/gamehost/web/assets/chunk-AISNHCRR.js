function o(n){return(r,t,i)=>{for(let d of n){let e=d(r,t,i);if(e!==void 0)return e}}}export{o as a};
